;;; test.scm: what (pyboehm) promises, one line "ok" or "not ok" for each;
;;; run.sh calls it, with the modules of the manual's tutorial on PYBOEHM_PATH.

(use-modules (pyboehm)
             (ice-9 atomic)
             (ice-9 control)
             (ice-9 exceptions)
             (ice-9 textual-ports)
             (ice-9 threads)
             (rnrs bytevectors)
             (srfi srfi-1))

;;; ------------------------------------------------------------------
;;; Checks

(define failed #f)

(define (report good? name)
  (unless good?
    (set! failed #t))
  (format #t "~a - ~a~%" (if good? "ok" "not ok") name))

;; Is what thunk returns equal? to expected?
(define (check-equal name expected thunk)
  (let ((actual (with-exception-handler
                    (lambda (exception) (list 'raised exception))
                  thunk
                  #:unwind? #t)))
    (report (equal? expected actual) name)
    (unless (equal? expected actual)
      (format #t "# expected ~s~%# got ~s~%" expected actual))))

(define-syntax-rule (check name expected expression)
  (check-equal name expected (lambda () expression)))

;; The type's name and the message of the Python exception that expression
;; raises.
(define-syntax-rule (error-of expression)
  (with-exception-handler
      (lambda (exception)
        (if (py-error? exception)
            (list (py-error-type exception) (exception-message exception))
            exception))
    (lambda () expression)
    #:unwind? #t))

;; Runs thunk in a thread that has ended then: no word of its stack is left.
(define (elsewhere thunk)
  (join-thread (call-with-new-thread thunk)))

(define (collect-all)
  (elsewhere (lambda ()
               (do ((i 0 (1+ i)))
                   ((= i 3))
                 (gc)
                 (py-collect)))))

;;; ------------------------------------------------------------------
;;; Objects

(define custom4 (py-import 'custom4))
(define Custom (py-attr custom4 'Custom))
(define SubList (py-attr (py-import 'sublist) 'SubList))

(define list-type (py-builtin 'list))
(define type-type (py-builtin 'type))

(define (make-class name base . attributes)
  (py-call type-type name (vector base) (alist->py-dict attributes)))

(define ada (py-call Custom "Ada" #:last "Lovelace" #:number 1815))

(check "a method" "Ada Lovelace" (py-send ada 'name))
(check "attributes" '("Ada" "Lovelace" 1815)
       (map (lambda (name) (py-attr ada name)) '(first last number)))
(check "setting an attribute" "Augusta Lovelace"
       (begin (set-py-attr! ada 'first "Augusta")
              (py-send ada 'name)))
(check "a setter that refuses"
       '("TypeError" "The first attribute value must be a string")
       (error-of (set-py-attr! ada 'first 42)))
(check "deleting what cannot be deleted"
       '("TypeError" "Cannot delete the first attribute")
       (error-of (delete-py-attr! ada 'first)))
(check "a constructor that refuses" "TypeError"
       (car (error-of (py-call Custom #:colour "blue"))))
(check "a module that is missing"
       '("ModuleNotFoundError" "No module named 'nowhere'")
       (error-of (py-import 'nowhere)))
(check "a list in C" '(3 1 2 (0 1 2 "end"))
       (let ((items (py-call SubList '(0 1 2))))
         (list (py-length items)
               (py-send items 'increment)
               (py-send items 'increment)
               (begin (py-send items 'append "end")
                      (py->list items)))))
(check "items: get, set, delete" '(1 (one 2) (2))
       (let ((items (py-call list-type '(1 2))))
         (list (py-item items 0)
               (begin (set-py-item! items 0 'one)
                      (py->list items))
               (begin (delete-py-item! items 0)
                      (py->list items)))))
(check "an index out of range" '("IndexError" "list index out of range")
       (error-of (py-item '() 0)))
(check "deleting an attribute" "AttributeError"
       (let ((op (py-call (make-class "Plain" (py-builtin 'object)))))
         (set-py-attr! op 'x 1)
         (delete-py-attr! op 'x)
         (car (error-of (py-attr op 'x)))))

;;; ------------------------------------------------------------------
;;; Values

(define (there-and-back value)
  (py-item (list value) 0))

(define-syntax-rule (check-values name value ...)
  (let ((values (list value ...)))
    (check name values (map there-and-back values))))

(check-values "small integers" 0 1 -1 255 256 -256 65535)
(check-values "integers at the edge of 64 bits"
              (1- (ash 1 63)) (- (ash 1 63)) (ash 1 63) (1- (- (ash 1 63))))
(check-values "integers up to 128 bits"
              (1- (ash 1 64)) (ash 1 64) (ash 1 100) (- (ash 1 100))
              (1- (ash 1 127)) (- (ash 1 127)))
(check-values "integers of more" (ash 1 127) (1- (- (ash 1 127))) (ash 3 1000)
              (- (ash 3 1000)))
(check-values "reals" 0.0 1.5 -1e300 (inf) (- (inf)))
(check "a fraction" 0.25 (there-and-back 1/4))
(check "not a number" #t (nan? (there-and-back (nan))))
(check-values "complex numbers" 1.0+2.0i -0.5-1.0i)
(check-values "booleans and None" #t #f *unspecified*)
(check-values "strings" "" "plain" "zwölf Bäume" "\x00x\x00" "λ→𝄞")
(check-values "bytes" #vu8() #vu8(0 1 255))
(check "str and len agree on characters" 3 (py-length "λ→𝄞"))
(check "a str that is no Unicode text" "UnicodeEncodeError"
       (car (error-of (py-send #vu8(#xed #xa0 #x80) 'decode
                               "utf-8" "surrogatepass"))))
(check "a list" "[1, [2.5, 'x'], []]" (py-repr '(1 (2.5 "x") ())))
(check "a tuple" "(1, (), None)" (py-repr (vector 1 #() *unspecified*)))
(check "an alist as a dict" "{'a': 1, 'b': [2]}"
       (py-repr (alist->py-dict '(("a" . 1) ("b" . (2))))))
(check "a hash table as a dict" "{7: 'seven'}"
       (let ((table (make-hash-table)))
         (hash-set! table 7 "seven")
         (py-repr table)))
(check "lists and vectors of items" '((1 2) #(1 2))
       (list (py->list #(1 2)) (py->vector '(1 2))))
(check "a dict as an alist" '(("a" . 1) ("b" . #t))
       (py->alist (alist->py-dict '(("a" . 1) ("b" . #t)))))
(check "a dict as a hash table" 1
       (hash-ref (py->hash-table (alist->py-dict '(("a" . 1)))) "a"))
(check "iterating" '(2 1 0)
       (let ((seen '()))
         (py-for-each (lambda (item) (set! seen (cons item seen)))
                      (py-call (py-builtin 'range) 3))
         seen))
(check "iterating over what cannot be"
       '("TypeError" "'int' object is not iterable")
       (error-of (py->list 1)))
(check "truth" '(#t #f #f #t) (map py-true? '(1 0 () (0))))
(check "str and repr" '("x" "'x'") (list (py-str "x") (py-repr "x")))

;; What has no counterpart goes and comes back as it is.
(check "other Scheme values" #t
       (every (lambda (value) (eq? value (there-and-back value)))
              (list 'symbol (cons 1 2) #\x car (make-atomic-box 1)
                    (make-fluid))))

;;; ------------------------------------------------------------------
;;; Wrappers

(define (printed value)
  (call-with-output-string (lambda (port) (write value port))))

(check "a wrapper shows its repr" "#<py [1, 'x']>"
       (printed (py-call list-type '(1 "x"))))
(check "a repr that fails" "#<py without a repr>"
       (let ((nested (py-call list-type '())))
         (do ((i 0 (1+ i)))
             ((= i 10000) (printed nested))
           (set! nested (py-call list-type (list nested))))))
(check "wrappers of one object are equal" '(#t #t #f)
       (list (equal? (py-attr custom4 'Custom) Custom)
             (= (hash (py-attr custom4 'Custom) 1000) (hash Custom 1000))
             (equal? Custom SubList)))
(check "py-is?" '(#t #f #t)
       (let ((cell (make-class "Cell" (py-builtin 'object))))
         (list (py-is? cell cell)
               (py-is? (py-call cell) (py-call cell))
               (py-is? (py-type 1.5) (py-type 2.5)))))
(check "objects that are no containers" '("range(0, 3)" "2.5" #t)
       (let ((range (py-call (py-builtin 'range) 3))
             (number (py-call (make-class "Number" (py-builtin 'float)
                                          '("__slots__" . ()))
                              2.5)))
         (collect-all)
         (list (py-str range) (py-str number) (py-is? range range))))

;;; ------------------------------------------------------------------
;;; Procedures

(define map-type (py-builtin 'map))

(check "a procedure called from C" '(1 4 9)
       (py->list (py-call map-type (lambda (x) (* x x)) '(1 2 3))))
(check "keywords for a procedure" "[1, 2, 3]"
       (py-repr (py-call (lambda* (a #:key b c) (list a b c)) 1 #:c 3 #:b 2)))
(check "a procedure with the wrong number of arguments" 'wrong-number-of-args
       (exception-kind (error-of (py-call (lambda () 1) 2))))
(check "a Python error goes through" '("AttributeError"
                                       "'int' object has no attribute 'x'")
       (error-of (py->list (py-call map-type (lambda (x) (py-attr x 'x))
                                    '(1)))))
(check "a Scheme error comes out as it was" #t
       (let ((raised (make-exception-with-message "so")))
         (eq? raised
              (error-of (py->list (py-call map-type
                                           (lambda (x) (raise-exception raised))
                                           '(1)))))))
(check "an escape is refused" "an escape cannot leave a call from C"
       (let ((raised (error-of
                      (let/ec escape
                        (py->list (py-call map-type escape '(1)))))))
         (apply format #f (exception-message raised)
                (exception-irritants raised))))
(check "and does no harm" '(2)
       (let/ec escape
         (call/cc (lambda (k)
                    (py->list (py-call map-type 1+ '(1)))))))
(check "there is no way back in" '("cross" 1)
       (let* ((continuation #f)
              (entered 0)
              (items (py->list
                      (py-call map-type
                               (lambda (x)
                                 (call/cc (lambda (k) (set! continuation k)))
                                 (set! entered (1+ entered))
                                 x)
                               '(1))))
              (raised (error-of (continuation 1))))
         (list (and (exception? raised)
                    (string-contains (exception-message raised) "cross")
                    "cross")
               entered)))

;;; ------------------------------------------------------------------
;;; Lives

(define (count-up! box)
  (let ((n (atomic-box-ref box)))
    (unless (eq? n (atomic-box-compare-and-swap! box n (1+ n)))
      (count-up! box))))

;; A class whose instances count their deaths in the box.
(define (mortal-class base deaths)
  (make-class "Mortal" base
              (cons "__del__" (lambda () (count-up! deaths)))))

;; Finalizers run in a thread of Guile's, or in the one that attaches next: so
;; how many were called says (count) now or soon.  Nearly all of them: a word
;; that is no pointer may look like one.
(define many 1000)

(define (nearly-all-die? count)
  (let ((limit (+ (current-time) 60)))
    (let loop ()
      (collect-all)
      (let ((n (count)))
        (cond ((<= (* many 95/100) n) (= n (min n many)))
              ((< (current-time) limit) (usleep 10000) (loop))
              (else (format #t "# ~a of ~a died~%" n many)
                    #f))))))

(define kept-ones 100)

;; Makes objects with (make class), of which nothing is kept, and others, of
;; which what make returns is.  All of these live, and (good? kept) holds.
(define (check-lives name base make good?)
  (let* ((dropped-deaths (make-atomic-box 0))
         (kept-deaths (make-atomic-box 0))
         (dropped-class (mortal-class base dropped-deaths))
         (kept-class (mortal-class base kept-deaths))
         (kept (elsewhere
                (lambda ()
                  (do ((i 0 (1+ i)))
                      ((= i many))
                    (make dropped-class))
                  (map (lambda (i) (make kept-class)) (iota kept-ones))))))
    (report (nearly-all-die? (lambda () (atomic-box-ref dropped-deaths)))
            (string-append name ": death"))
    (report (and (zero? (atomic-box-ref kept-deaths)) (every good? kept))
            (string-append name ": life"))))

(check-lives "a wrapper is what keeps its object" (py-builtin 'object)
             (lambda (class)
               (let ((op (py-call class)))
                 (set-py-attr! op 'x "here")
                 op))
             (lambda (op) (equal? (py-attr op 'x) "here")))

(check-lives "a wrapper is what keeps an object of a C type" Custom
             (lambda (class) (py-call class "Ada"))
             (lambda (op) (equal? (py-attr op 'first) "Ada")))

(check-lives "a closure is what keeps its wrapper's object" Custom
             (lambda (class)
               (let ((custom (py-call class "Ada" "Lovelace")))
                 (lambda () (py-send custom 'name))))
             (lambda (closure) (equal? (closure) "Ada Lovelace")))

;; Ties custom to what holds it, through a class of strings that can have
;; attributes, for custom4's setters take nothing but strings.
(define (closure-cycle class)
  (let* ((custom (py-call Custom "Augusta" "Lovelace"))
         (first (py-call class "Ada"))
         (closure (lambda () (py-send custom 'name))))
    (set-py-attr! first 'callback closure)
    (set-py-attr! custom 'first first)
    (values custom closure)))

(define str-type (py-builtin 'str))

(check-lives "C object, closure, wrapper, C object" str-type
             (lambda (class)
               (call-with-values (lambda () (closure-cycle class))
                 (lambda (custom closure) custom)))
             (lambda (custom)
               (equal? ((py-attr (py-attr custom 'first) 'callback))
                       "Ada Lovelace")))

(check-lives "closure, wrapper, C object, closure" str-type
             (lambda (class)
               (call-with-values (lambda () (closure-cycle class))
                 (lambda (custom closure) closure)))
             (lambda (closure) (equal? (closure) "Ada Lovelace")))

;; The items of a list lie in malloc memory, which the collector does not scan.
(check-lives "C list, closure, Scheme data, C list" SubList
             (lambda (class)
               (let* ((items (py-call class))
                      (data (list 1 (vector items))))
                 (py-send items 'append (lambda () data))
                 items))
             (lambda (items)
               (let ((data ((py-item items 0))))
                 (equal? (vector-ref (cadr data) 0) items))))

;; A guardian brings the closure back when it was found dead, with all that it
;; refers to.
(check "what guardians bring back is whole" '(#t #t)
       (let ((closures (make-guardian))
             (n 0)
             (whole? #t))
         (define (take-back! closure)
           (when closure
             (set! n (1+ n))
             (let ((items (closure)))
               (unless (and (= 1 (py-length items))
                            (eq? closure (py-item items 0)))
                 (set! whole? #f)))
             (take-back! (closures))))
         (elsewhere
          (lambda ()
            (do ((i 0 (1+ i)))
                ((= i many))
              (let* ((items (py-call SubList))
                     (closure (lambda () items)))
                (closures closure)
                (py-send items 'append closure)))))
         (let ((died? (nearly-all-die? (lambda ()
                                         (take-back! (closures))
                                         n))))
           (list died? whole?))))

;;; ------------------------------------------------------------------
;;; What is in the heap

;; What proc writes to the file that it is given.
(define (written proc)
  (let* ((port (mkstemp! (string-copy "written-XXXXXX")))
         (file (port-filename port)))
    (close-port port)
    (proc file)
    (let ((text (call-with-input-file file get-string-all)))
      (delete-file file)
      text)))

(check "what holds an object is told" #t
       (let ((items (py-call SubList)))
         (->bool (string-contains (written (lambda (file)
                                             (py-why-alive items file)))
                                  "SubList at 0x"))))
(check "the audit finds nothing" 0 (py-audit))
(check "what grew is counted" '(0 #t #t)
       (begin
         (py-growth "/dev/null")
         (let* ((idle (py-growth "/dev/null"))
                (kept (map (lambda (i) (py-call SubList)) (iota 100)))
                (text (written py-growth)))
           (list idle (->bool (string-contains text "SubList"))
                 (every py? kept)))))
(check "what is alive is told" #t
       (let ((items (py-call SubList)))
         (and (->bool (string-contains
                       (written py-write-leaks)
                       "pyboehm: objects alive now, and what holds them"))
              (positive? (py-write-leaks "/dev/null"))
              (py? items))))
(check "the heap is written as a page, and again" #t
       (let ((page (written (lambda (file)
                              (py-write-report file)
                              (py-write-report file)))))
         (and (string-prefix? "<!doctype html>" page)
              (->bool (string-contains page "{\"pyboehm_report\": 1,"))
              (not (string-contains (string-drop page 9)
                                    "<!doctype html>")))))
(check "stacks were not recorded" 'RuntimeError
       (with-exception-handler
           (lambda (exception) (string->symbol (py-error-type exception)))
         (lambda () (py-write-report "/dev/null" #:folded #t))
         #:unwind? #t))
(check "a graph is written" #t
       (string-prefix? "{\"pyboehm_graph\": 1,"
                       (written (lambda (file)
                                  (py-write-graph file #:json #t)))))

;;; ------------------------------------------------------------------
;;; Threads

;; What thunk returns in a thread of its own, or that it has not within a
;; minute.
(define (in-time thunk)
  (join-thread (call-with-new-thread thunk) (+ (current-time) 60) 'late))

(check "threads that make, call and collect" 1600
       (let* ((items (py-call SubList))
              (work (lambda ()
                      (do ((i 0 (1+ i)))
                          ((= i 200) (py-collect))
                        (py-send items 'append (lambda () items)))))
              (threads (map (lambda (i) (call-with-new-thread work))
                            (iota 8))))
         (for-each join-thread threads)
         (py-length items)))
(check "a procedure called from C waits for another thread" "[1]"
       (in-time
        (lambda ()
          (py-call (lambda ()
                     (join-thread
                      (call-with-new-thread (lambda () (py-repr '(1))))))))))

(exit (not failed))
