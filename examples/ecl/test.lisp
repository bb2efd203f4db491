;;; test.lisp: what pyboehm.lisp promises, one line "ok" or "not ok" for each;
;;; run.sh calls it, with the modules of the manual's tutorial on PYBOEHM_PATH.

(load (merge-pathnames "pyboehm.lisp" *load-truename*) :verbose nil)
(defpackage :test (:use :cl :pyboehm))
(in-package :test)

(defvar *failed* nil)

(defun report (good name)
  (unless good (setf *failed* t))
  (format t "~:[not ok~;ok~] - ~a~%" good name))

(defmacro check (name expected form)
  "Is the value of FORM EQUALP to EXPECTED?"
  `(let ((value (handler-case ,form
                  (error (condition) (princ-to-string condition)))))
     (report (equalp value ,expected) ,name)
     (unless (equalp value ,expected)
       (format t "# expected ~s~%# got ~s~%" ,expected value))))

(defun elsewhere (function)
  "Calls it in a thread that has ended then: no word of its stack is left."
  (mp:process-join (mp:process-run-function 'elsewhere function)))

(defun collect ()
  "How many C objects were collected, in both heaps' collections."
  (let ((sum 0))
    (elsewhere (lambda ()
                 (loop repeat 3
                       do (ext:gc t)
                          (incf sum (py-collect)))))
    sum))

(defconstant +many+ 1000)
(defconstant +most+ 950)                ; a stale word may keep one or another

;;; ------------------------------------------------------------------
;;; Objects

(defvar *custom* (py-get (py-import "custom4") "Custom"))
(defvar *ada* (py-call *custom* "Ada" "Lovelace" :number 1815))

(check "attributes" '("Ada" "Lovelace" 1815)
  (list (py-get *ada* "first") (py-get *ada* "last") (py-get *ada* "number")))
(check "a method" "Ada Lovelace" (py-send *ada* "name"))
(check "an attribute is set" "Ada König"
  (progn (setf (py-get *ada* "last") "König")
         (py-send *ada* "name")))
(check "it shows its repr" "<class 'custom4.Custom'>"
  (princ-to-string *custom*))
(check "an exception is a condition"
    "TypeError: The last attribute value must be a string"
  (setf (py-get *ada* "last") 3))
(check "with its type" "AttributeError"
  (handler-case (py-get *ada* "colour")
    (py-error (condition) (py-error-type condition))))

(defvar *builtins* (py-import "builtins"))

(defun same (value)
  "There and back."
  (aref (py-call (py-get *builtins* "list") (list value)) 0))

(check "integers" (list 0 -1 (expt 2 62) (- (expt 2 100)))
  (mapcar #'same (list 0 -1 (expt 2 62) (- (expt 2 100)))))
(check "floats" '(0.5d0 -1d100) (mapcar #'same '(0.5d0 -1d100)))
(check "strings" '("" "λόγος") (mapcar #'same '("" "λόγος")))
(check "true, and what is not" '(t nil)
  (list (same t) (same (py-send "a" "isdigit"))))
(check "tuples and lists" '(1 "b" (2 3) #(4 #(5)))
  (same '(1 "b" (2 3) #(4 #(5)))))
(check "what is no container" 0
  (py-get (py-call (py-get (py-import "custom2") "Custom")) "number"))

;;; ------------------------------------------------------------------
;;; Collections

(check "what Lisp holds lives" 499500
  (let ((customs (loop for i below +many+
                       collect (py-call *custom* "a" "b" i))))
    (collect)
    (loop for custom in customs sum (py-get custom "number"))))

(collect)
(elsewhere (lambda ()
             (loop repeat +many+ do (py-call *custom* "Alan" "Turing"))))
(report (>= (collect) +most+) "what nobody holds is collected")

;; A C object with room for a reference of Lisp's in its body, which Boehm
;; scans: the way of types that keep a value of their host's.
(pyboehm::defpy |PyUnstable_Object_GC_NewWithExtraData| (:pointer-void :long))
(pyboehm::defpy |PyObject_GC_Track| (:pointer-void) :void)

(defun box (value)
  (pyboehm::with-python
    (let* ((type (si:find-foreign-symbol "PyCell_Type" pyboehm::*library*
                                         :void 0))
           (size 24)                    ; of a cell
           (cell (|PyUnstable_Object_GC_NewWithExtraData| type 8))
           (data (si:foreign-data-recast cell (+ size 8) :void)))
      (si:foreign-data-set-elt data size :unsigned-long (si:pointer value))
      (|PyObject_GC_Track| cell)
      (pyboehm::adopted cell))))

(defvar *weak* nil)
(defvar *held* nil)

(defun make-cycles (keep)
  "Closures of Lisp's whose C objects hold them."
  (loop repeat +many+
        do (let* ((box nil)
                  (closure (lambda () box)))
             (setf box (box closure))
             (push (ext:make-weak-pointer closure) *weak*)
             (when keep (push box *held*)))))

(defun living ()
  (count-if #'ext:weak-pointer-value *weak*))

(elsewhere (lambda () (make-cycles t)))
(check "a closure lives while its C object does" +many+
  (progn (collect) (living)))
;; A dead word may lead to one of the list's conses: it must not keep the rest.
(fill *held* nil)
(setf *held* nil)
(report (and (>= (collect) +most+) (<= (living) (- +many+ +most+)))
        "a cycle of a closure and a C object is collected")

;;; ------------------------------------------------------------------
;;; What is in the heap

(defun written (function)
  "What FUNCTION writes to the file that it is given."
  (let ((file (namestring (ext:mkstemp "written"))))
    (funcall function file)
    (prog1 (with-open-file (stream file)
             (let ((text (make-string (file-length stream))))
               (subseq text 0 (read-sequence text stream))))
      (delete-file file))))

(report (search "reference"
                (written (lambda (file)
                           (py-why-alive (py-call *custom* "a" "b") file))))
        "what holds an object is told")
(check "the audit finds nothing" 0 (py-audit))
(py-growth "/dev/null")
(check "nothing grew" 0 (py-growth "/dev/null"))
(defvar *grown* (loop repeat 100 collect (py-call *custom* "a" "b")))
(report (search "Custom" (written #'py-growth)) "what grew is told")
(report (and (search "pyboehm: objects alive now, and what holds them"
                     (written #'py-write-leaks))
             (>= (py-write-leaks "/dev/null") (length *grown*)))
        "what is alive is told")
(report (let ((page (written (lambda (file)
                               (py-write-report file)
                               (py-write-report file)))))
          (and (eql 0 (search "<!doctype html>" page))
               (search "{\"pyboehm_report\": 1," page)
               (not (search "<!doctype html>" page :start2 9))))
        "the heap is written as a page, and again")
(check "stacks were not recorded" "RuntimeError"
  (handler-case (py-write-report "/dev/null" :folded t)
    (py-error (condition) (py-error-type condition))))
(report (search "\"pyboehm_graph\": 1"
                (written (lambda (file) (py-write-graph file :json t))))
        "a graph is written")

;;; ------------------------------------------------------------------
;;; Threads, finalizers

(check "all threads may call" '(1 2 3 4 5 6 7 8)
  (flet ((work (i)
           (lambda ()
             (loop repeat 100 do (py-call *custom* "a" "b" i))
             (py-get (py-call *custom* "a" "b" i) "number"))))
    (mapcar #'mp:process-join
            (loop for i from 1 to 8
                  collect (mp:process-run-function 'worker (work i))))))

(defvar *finalized* 0)

(defun note (wrapper)
  (declare (ignore wrapper))
  (incf *finalized*))

(elsewhere (lambda ()
             (loop repeat +many+
                   do (ext:set-finalizer (py-call *custom* "a" "b") #'note))))
(report (and (>= (collect) +most+) (>= *finalized* +most+))
        "wrappers have finalizers of Lisp's, and their objects go")

(ext:quit (if *failed* 1 0))
