;;; pyboehm.scm: extension types written in C for CPython, in Guile.
;;;
;;; (use-modules (pyboehm))
;;;
;;; A Python object is a wrapper, <py>, unless Scheme has a value for it:
;;;
;;;   None         the unspecified value    int, float, complex  a number
;;;   False, True  #f, #t                   str                  a string
;;;   bytes        a bytevector             guile.Value          what it holds
;;;
;;; The same values, and lists (as a list), vectors (as a tuple) and hash tables
;;; (as a dict), may be given wherever a Python object is wanted.  Any other
;;; Scheme value goes as a guile.Value, and comes back as what it was; that of
;;; a procedure can be called from C.
;;;
;;; References: a wrapper's pointer is adopted.  It lies in a cell that the
;;; collector scans, so the object lives while the wrapper does, and needs
;;; neither counts nor a finalizer.  Here below, "owned" pointers are counted
;;; references that the procedure at hand has to give up; the others are
;;; borrowed from an owner that keeps them meanwhile.
;;;
;;; No table maps objects to wrappers: an entry that is weak in the wrapper
;;; would still hold the object, and with it, through a cycle, the wrapper.
;;; Wrappers of one object are equal?, not eq?; so equal? and hash will do.

(define-module (pyboehm)
  #:use-module (ice-9 exceptions)
  #:use-module (ice-9 receive)
  #:use-module (pyboehm c)
  #:use-module (pyboehm control)
  #:use-module (rnrs bytevectors)
  #:use-module (srfi srfi-1)
  #:use-module (srfi srfi-9)
  #:use-module (srfi srfi-9 gnu)
  #:use-module (system foreign)
  #:export (py?
            py-import py-builtin
            py-call py-send
            py-attr set-py-attr! delete-py-attr!
            py-item set-py-item! delete-py-item!
            py-length py-true? py-is? py-type py-repr py-str
            py-for-each py->list py->vector py->alist py->hash-table
            alist->py-dict
            py-collect py-why-alive py-audit py-growth
            py-write-leaks py-write-graph py-write-report
            py-error? py-error-type py-error-value))

;;; ------------------------------------------------------------------
;;; Arguments

;; Evaluates body with each name bound to a pointer to its value as a Python
;; object, attached; the pointers are given up afterwards.
(define-syntax with-py
  (syntax-rules ()
    ((_ bindings body ...)
     (attached (lambda () (with-owned bindings body ...))))))

(define-syntax with-owned
  (syntax-rules ()
    ((_ () body ...) (let () body ...))
    ((_ ((name value) rest ...) body ...)
     (owning (->py value)
             (lambda (name) (with-owned (rest ...) body ...))))))

;;; ------------------------------------------------------------------
;;; Errors

;; type is the name of the exception's type, value its wrapper; what str() says
;; of it is the exception-message.
(define-exception-type &py-error &error
  make-py-error py-error?
  (type py-error-type)
  (value py-error-value))

;; Raises what the C function that was just called has set.  An error that a
;; procedure raised in Scheme, and C code let through, is raised as it was.
(define (raise-python-error)
  (let* ((raised (raised-exception))
         (ours? (equal? (type-of raised) scheme-error))
         (value (take raised)))
    (if ours?
        (raise-exception (py-attr value "exception"))
        (raise-exception
         (make-exception
          (make-py-error (py-attr (py-type value) '__name__) value)
          (make-exception-with-message (py-str value)))))))

;; The pointer that a C function returned, unless it failed.
(define (checked op)
  (if (null-pointer? op) (raise-python-error) op))

;; The number that a C function returned, unless it failed.
(define (checked-number n)
  (if (negative? n) (raise-python-error) n))

;; Sets the Python exception for what a procedure raised.
(define (set-python-error exception)
  (set-raised-exception
   (->py (if (py-error? exception)
             (py-error-value exception)
             (let ((error (py-call (wrap-borrowed scheme-error)
                                   (exception-text exception))))
               (set-py-attr! error 'exception exception)
               error)))))

(define (exception-text exception)
  (call-with-output-string
    (lambda (port)
      (print-exception port #f (exception-kind exception)
                       (exception-args exception)))))

;;; ------------------------------------------------------------------
;;; Wrappers

;; The container is adopted.  It is the object itself or, of what cannot be
;; adopted since it is no container, a cell that holds it.
(define-record-type <py>
  (make-py container cell?)
  py?
  (container py-container)
  (cell? py-cell?))

(set-record-type-printer! <py>
  (lambda (op port)
    (format port "#<py ~a>"
            (with-exception-handler
                (lambda (exception) "without a repr")
              (lambda () (py-repr op))
              #:unwind? #t))))

;; The wrapper of op, which is owned.
(define (wrap op)
  (incref op)
  (let ((adopted (adopt op)))
    (cond ((null-pointer? adopted)
           (clear-error)
           (make-py (checked (adopt (owning op cell-new))) #t))
          (else
           (decref op)
           (make-py adopted #f)))))

(define (wrap-borrowed op)
  (incref op)
  (wrap op))

;; An owned pointer to a wrapper's object.
(define (unwrap op)
  (let ((container (py-container op)))
    (cond ((py-cell? op) (cell-contents container))
          (else (incref container)
                container))))

;;; ------------------------------------------------------------------
;;; Scheme values to objects

;; An owned pointer to an object that stands for value.
(define (->py value)
  (cond ((py? value) (unwrap value))
        ((string? value) (string->str value))
        ((exact-integer? value) (integer->int value))
        ((real? value) (checked (float-from-double value)))
        ((complex? value) (complex->complex value))
        ((boolean? value) (bool-from-long (if value 1 0)))
        ((unspecified? value) (none))
        ((bytevector? value) (bytevector->bytes value))
        ((list? value) (list->py-list value))
        ((vector? value) (vector->tuple value))
        ((hash-table? value) (alist->dict (hash-map->list cons value)))
        (else (value->box value))))

(define none
  (let ((address (address-of "_Py_NoneStruct")))
    (lambda ()
      (incref address)
      address)))

;; Not string->pointer: it would give each string a finalizer.
(define (string->str string)
  (let ((utf8 (string->utf8 string)))
    (checked (str-new (bytevector->pointer utf8) (bytevector-length utf8)))))

(define (bytevector->bytes bytes)
  (checked (bytes-new (bytevector->pointer bytes) (bytevector-length bytes))))

;; Py_ASNATIVEBYTES_NATIVE_ENDIAN: with room for the sign.
(define native-bytes 3)

(define (integer->int n)
  (checked
   (if (< (integer-length n) 64)
       (long-from-int64 n)
       (let* ((size (1+ (quotient (integer-length n) 8)))
              (bytes (make-bytevector size)))
         (bytevector-sint-set! bytes 0 n (native-endianness) size)
         (long-from-bytes (bytevector->pointer bytes) size native-bytes)))))

(define (complex->complex z)
  (checked (complex-from-doubles (real-part z) (imag-part z))))

(define (list->py-list values)
  (filled (checked (list-new 0))
          (lambda (op)
            (for-each (lambda (value)
                        (with-owned ((item value))
                          (checked-number (list-append op item))))
                      values))))

(define (vector->tuple values)
  (with-owned ((items (vector->list values)))
    (checked (list->tuple items))))

(define (alist->dict alist)
  (filled (checked (dict-new))
          (lambda (op)
            (for-each (lambda (entry)
                        (with-owned ((key (car entry)) (value (cdr entry)))
                          (checked-number (set-item op key value))))
                      alist))))

;;; ------------------------------------------------------------------
;;; Objects to Scheme values

;; A pointer to the type, the second word of every object; borrowed.
(define (type-of op)
  (dereference-pointer (make-pointer (+ (pointer-address op) (sizeof '*)))))

;; The Scheme value of op, which is owned.
(define (take op)
  (let ((converter (assoc-ref converters (type-of op))))
    (if converter
        (owning op converter)
        (wrap op))))

(define (int->integer op)
  (let* ((size (checked-number
                (long-as-bytes op %null-pointer 0 native-bytes)))
         (bytes (make-bytevector size)))
    (long-as-bytes op (bytevector->pointer bytes) size native-bytes)
    (bytevector-sint-ref bytes 0 (native-endianness) size)))

(define (complex->scheme op)
  (make-rectangular (complex-real op) (complex-imaginary op)))

(define (bytes->bytevector op)
  (let ((size (bytes-size op)))
    (if (zero? size)
        (make-bytevector 0)
        (bytevector-copy (pointer->bytevector (bytes-contents op) size)))))

(define (str->string op)
  (owning (checked (str-as-utf8 op))
          (lambda (bytes) (utf8->string (bytes->bytevector bytes)))))

(define (true? op)
  (= 1 (checked-number (object-true? op))))

;;; ------------------------------------------------------------------
;;; guile.Value: a Scheme value as an object

;; Called by C, with borrowed arguments; kwargs may be NULL.  Returns an owned
;; pointer, or NULL with an exception.
(define (call-box self args kwargs)
  (with-exception-handler
      (lambda (exception)
        (set-python-error exception)
        %null-pointer)
    (lambda ()
      (let ((procedure (box->value self))
            (arguments (append (py->list (wrap-borrowed args))
                               (keyword-arguments kwargs))))
        (->py (detached (lambda () (apply procedure arguments))))))
    #:unwind? #t))

(define (keyword-arguments kwargs)
  (if (null-pointer? kwargs)
      '()
      (append-map (lambda (entry)
                    (list (symbol->keyword (string->symbol (car entry)))
                          (cdr entry)))
                  (py->alist (wrap-borrowed kwargs)))))

;; One for all: with a pointer for each procedure, Guile's table from these to
;; the procedures would keep cycles through them alive.
(define call-box-pointer
  (procedure->pointer '* call-box (list '* '* '*)))

(define c-name
  (let ((bytes (string->utf8 "guile.Value\0")))
    (bytevector->pointer bytes)))

;; PyType_Slot and PyType_Spec of pyboehm's object.h.  A negative size: so many
;; bytes after those of the base, which brings tp_traverse and tp_clear.
(define tp-call 50)
(define box-slots
  (make-c-struct (list int '* int '*)
                 (list tp-call call-box-pointer 0 %null-pointer)))
(define box-spec
  (make-c-struct (list '* int int unsigned-int '*)
                 (list c-name (- (sizeof '*)) 0 0 box-slots)))

;; The word after the base's part, as a bytevector.  The collector scans it, as
;; it does all bodies of containers.
(define (box-word op)
  (pointer->bytevector (type-data op box-type) (sizeof '*)))

(define (value->box value)
  (let* ((op (checked (type-allocate box-type 0)))
         (word (box-word op)))
    (bytevector-u64-native-set! word 0 (object-address value))
    ;; Asked again, so that value is in sight until its address is.
    (unless (= (object-address value) (bytevector-u64-native-ref word 0))
      (error "a value has moved:" value))
    op))

(define (box->value op)
  (pointer->scm (dereference-pointer (type-data op box-type))))

;;; ------------------------------------------------------------------
;;; What programs call

(define (name->str name)
  (if (symbol? name) (symbol->string name) name))

(define (py-import name)
  (with-py ((name (name->str name)))
    (take (checked (import-module name)))))

(define (py-builtin name)
  (py-attr (py-import "builtins") name))

;; Arguments are positional, and #:name value.
(define (py-call op . arguments)
  (receive (positional keywords) (split-arguments arguments)
    (with-py ((op op)
              (args (list->vector positional))
              (kwargs (alist->py-dict keywords)))
      (take (checked (object-call op args kwargs))))))

(define (split-arguments arguments)
  (let loop ((rest arguments) (positional '()) (keywords '()))
    (cond ((null? rest)
           (values (reverse positional) (reverse keywords)))
          ((and (keyword? (car rest)) (pair? (cdr rest)))
           (loop (cddr rest) positional
                 (acons (symbol->string (keyword->symbol (car rest)))
                        (cadr rest)
                        keywords)))
          (else
           (loop (cdr rest) (cons (car rest) positional) keywords)))))

;; Calls the method.
(define (py-send op name . arguments)
  (apply py-call (py-attr op name) arguments))

(define (py-attr op name)
  (with-py ((op op) (name (name->str name)))
    (take (checked (get-attribute op name)))))

(define (set-py-attr! op name value)
  (with-py ((op op) (name (name->str name)) (value value))
    (checked-number (set-attribute op name value))
    *unspecified*))

(define (delete-py-attr! op name)
  (with-py ((op op) (name (name->str name)))
    (checked-number (set-attribute op name %null-pointer))
    *unspecified*))

(define (py-item op key)
  (with-py ((op op) (key key))
    (take (checked (get-item op key)))))

(define (set-py-item! op key value)
  (with-py ((op op) (key key) (value value))
    (checked-number (set-item op key value))
    *unspecified*))

(define (delete-py-item! op key)
  (with-py ((op op) (key key))
    (checked-number (delete-item op key))
    *unspecified*))

(define (py-length op)
  (with-py ((op op))
    (checked-number (object-size op))))

(define (py-true? op)
  (with-py ((op op))
    (true? op)))

;; Are they one object?
(define (py-is? a b)
  (with-py ((a a) (b b))
    (equal? a b)))

(define (py-type op)
  (with-py ((op op))
    (take (checked (object-type op)))))

(define (py-repr op)
  (with-py ((op op))
    (take (checked (object-repr op)))))

(define (py-str op)
  (with-py ((op op))
    (take (checked (object-str op)))))

;; What iterating over op gives, in turn.
(define (py-for-each proc op)
  (let ((iterator (with-py ((op op))
                    (take (checked (get-iterator op))))))
    (let loop ((item (py-next iterator)))
      (unless (eof-object? item)
        (proc item)
        (loop (py-next iterator))))))

(define the-end (call-with-input-string "" read-char))

(define (py-next iterator)
  (with-py ((iterator iterator))
    (let ((item (next-item iterator)))
      (cond ((not (null-pointer? item)) (take item))
            ((null-pointer? (error-occurred)) the-end)
            (else (raise-python-error))))))

(define (py->list op)
  (let ((items '()))
    (py-for-each (lambda (item) (set! items (cons item items))) op)
    (reverse items)))

(define (py->vector op)
  (list->vector (py->list op)))

;; Of a dict, or of what else has items().
(define (py->alist op)
  (map (lambda (item) (cons (py-item item 0) (py-item item 1)))
       (py->list (py-send op 'items))))

;; With equal? keys: hash-ref finds them.
(define (py->hash-table op)
  (let ((table (make-hash-table)))
    (for-each (lambda (entry) (hash-set! table (car entry) (cdr entry)))
              (py->alist op))
    table))

(define (alist->py-dict alist)
  (attached (lambda () (take (alist->dict alist)))))

;; A full collection; how many objects it found.
(define (py-collect)
  (attached collect))

;;; ------------------------------------------------------------------
;;; What is in the heap, and why

;; What proc returns of a C stream to the file of that name: mode is "a", to
;; add to the file, or "w".
(define (call-with-stream name mode proc)
  (let ((stream (fopen (string->pointer name) (string->pointer mode))))
    (when (null-pointer? stream)
      (error "cannot be written:" name))
    (dynamic-wind (const #f)
                  (lambda () (proc stream))
                  (lambda () (fclose stream)))))

;; The number that write returns of such a stream, attached.
(define (written file mode write)
  (attached
   (lambda ()
     (call-with-stream file mode
       (lambda (stream) (checked-number (write stream)))))))

;; Writes what holds the object; does anything?
(define* (py-why-alive op #:optional (file "/dev/stderr"))
  (with-py ((object op))
    (call-with-stream file "a"
      (lambda (stream)
        (positive? (checked-number (why-alive object stream)))))))

;; Writes what is wrong with types, and returns how much that is.
(define* (py-audit #:optional (file "/dev/stderr"))
  (written file "a" (lambda (stream) (audit stream 0))))

;; Writes which types have grown since the last call, and returns how many.
(define* (py-growth #:optional (file "/dev/stderr"))
  (written file "a" growth))

;; Writes what is alive, and what holds it; returns how many objects.
(define* (py-write-leaks #:optional (file "/dev/stderr"))
  (written file "a" write-leaks))

;; Writes all containers and what they refer to, in DOT or in JSON.
(define* (py-write-graph file #:key json)
  (written file "w"
           (lambda (stream)
             (write-graph stream %null-pointer 0 -1 (if json 2 1)))))

;; Writes the heap as a page for a browser or, folded, as stacks for tools that
;; draw flame graphs, for which PYBOEHM_TRACE must be set.
(define* (py-write-report file #:key folded)
  (written file "w"
           (lambda (stream) (write-report stream (if folded 2 1)))))

;;; ------------------------------------------------------------------
;;; When the module is loaded

(define converters
  `((,(address-of "PyUnicode_Type") . ,str->string)
    (,(address-of "PyLong_Type") . ,int->integer)
    (,(address-of "PyFloat_Type") . ,float-as-double)
    (,(address-of "PyBool_Type") . ,true?)
    (,(address-of "_PyNone_Type") . ,(const *unspecified*))
    (,(address-of "PyBytes_Type") . ,bytes->bytevector)
    (,(address-of "PyComplex_Type") . ,complex->scheme)))

(initialize)
(save-thread)

;; A base with instances that have a dictionary and can be weakly referred to.
(define box-type
  (with-py ((base (py-call (py-builtin 'type) "Base" #() (make-hash-table))))
    (checked (type-from-spec box-spec base))))

(define scheme-error
  (attached
   (lambda ()
     (let ((name (string->utf8 "guile.Error\0")))
       (checked (new-exception (bytevector->pointer name) %null-pointer
                               %null-pointer))))))

(set! converters (acons box-type box->value converters))
