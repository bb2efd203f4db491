;;; pyboehm.lisp: C extension types written for CPython, in ECL.
;;;
;;; A Lisp program refers to such objects like to its own and never thinks of
;;; counts: each is adopted, so that it lives as long as ECL's collector, which
;;; is Boehm's, sees it.  nil is None, and False comes back as nil; t is True;
;;; integers, floats and strings are int, float and str; a Lisp list is a
;;; tuple, a vector is a list.  Every thread may call.

(defpackage :pyboehm
  (:use :cl)
  (:export #:py-import #:py-call #:py-get #:py-send #:py-collect #:py-object
           #:py-why-alive #:py-audit #:py-growth
           #:py-write-leaks #:py-write-graph #:py-write-report
           #:py-error #:py-error-type #:py-error-text))
(in-package :pyboehm)

(defvar *library* (or (ext:getenv "PYBOEHM_LIBRARY") "libpyboehm.so"))
(ffi:load-foreign-library *library*)

;;; ------------------------------------------------------------------
;;; What is called

(defmacro defpy (name arguments &optional (returning :pointer-void))
  "The library's function NAME, under that name: (|PyX| ...)."
  `(ffi:def-function (,(symbol-name name) ,name)
       ,(loop for type in arguments
              for i from 0
              collect (list (intern (format nil "A~d" i)) type))
     :returning ,returning :module *library*))

(defpy |Py_Initialize| () :void)
(defpy |PyEval_SaveThread| ())
(defpy |PyGILState_Ensure| () :int)
(defpy |PyGILState_Release| (:int) :void)
(defpy |PyGC_Collect| () :long)
(defpy |PyBoehm_WhyAlive| (:pointer-void :pointer-void) :int)
(defpy |PyBoehm_WriteGraph|
    (:pointer-void :pointer-void :long :int :int) :int)
(defpy |PyBoehm_WriteReport| (:pointer-void :int) :int)
(defpy |PyBoehm_WriteLeaks| (:pointer-void) :long)
(defpy |PyBoehm_Growth| (:pointer-void) :int)
(defpy |PyBoehm_Audit| (:pointer-void :int) :int)
(defpy |Py_IncRef| (:pointer-void) :void)
(defpy |Py_DecRef| (:pointer-void) :void)
(defpy |PyBoehm_Adopt| (:pointer-void))
(defpy |PyObject_IS_GC| (:pointer-void) :int)
(defpy |PyCell_New| (:pointer-void))
(defpy |PyCell_Get| (:pointer-void))
(defpy |PyErr_GetRaisedException| ())
(defpy |PyImport_ImportModule| (:cstring))
(defpy |PyObject_Type| (:pointer-void))
(defpy |PyObject_Str| (:pointer-void))
(defpy |PyObject_Repr| (:pointer-void))
(defpy |PyObject_Call| (:pointer-void :pointer-void :pointer-void))
(defpy |PyObject_GetAttrString| (:pointer-void :cstring))
(defpy |PyObject_SetAttrString| (:pointer-void :cstring :pointer-void) :int)
(defpy |PyLong_FromString| (:cstring :pointer-void :int))
(defpy |PyBool_FromLong| (:long))
(defpy |PyFloat_FromDouble| (:double))
(defpy |PyFloat_AsDouble| (:pointer-void) :double)
(defpy |PyUnicode_FromString| (:cstring))
(defpy |PyUnicode_AsUTF8| (:pointer-void) :cstring)
(defpy |PyTuple_New| (:long))
(defpy |PyTuple_SetItem| (:pointer-void :long :pointer-void) :int)
(defpy |PySequence_List| (:pointer-void))
(defpy |PySequence_Size| (:pointer-void) :long)
(defpy |PySequence_GetItem| (:pointer-void :long))
(defpy |PyDict_New| ())
(defpy |PyDict_SetItemString| (:pointer-void :cstring :pointer-void) :int)

(defun address-of (name)
  (ffi:pointer-address (si:find-foreign-symbol name *library* :void 0)))

(defparameter *null* (ffi:make-null-pointer :void))

(defmacro with-python (&body body)
  "Attaches the thread, unless it is."
  (let ((state (gensym)))
    `(let ((,state (|PyGILState_Ensure|)))
       (unwind-protect (progn ,@body)
         (|PyGILState_Release| ,state)))))

;;; ------------------------------------------------------------------
;;; Objects

(defstruct (py-object (:constructor wrap (pointer boxed)))
  pointer                               ; adopted, in memory that Boehm scans
  boxed)                                ; is it a cell that holds the object?

(define-condition py-error (error)
  ((type :initarg :type :reader py-error-type)
   (text :initarg :text :reader py-error-text))
  (:report (lambda (condition stream)
             (format stream "~a: ~a" (py-error-type condition)
                     (py-error-text condition)))))

(defun to-utf8 (text)
  (let* ((octets (make-array (length text) :element-type '(unsigned-byte 8)
                                           :adjustable t :fill-pointer 0))
         (stream (ext:make-sequence-output-stream octets
                                                  :external-format :utf-8)))
    (write-string text stream)
    (map 'base-string #'code-char octets)))

(defun from-utf8 (text)
  (let ((stream (ext:make-sequence-input-stream
                 (map '(vector (unsigned-byte 8)) #'char-code text)
                 :external-format :utf-8)))
    (coerce (loop for character = (read-char stream nil)
                  while character collect character)
            'string)))

;;; An owned reference is a pointer that is to be handed on or dropped.

(defun drop (owned)
  (|Py_DecRef| owned))

(defun checked (owned)
  (if (ffi:null-pointer-p owned) (raise) owned))

(defun text-of (owned)
  (prog1 (from-utf8 (|PyUnicode_AsUTF8| (checked owned)))
    (drop owned)))

(defun class-name-of (pointer)
  (let ((class (|PyObject_Type| pointer)))
    (prog1 (text-of (|PyObject_GetAttrString| class "__name__"))
      (drop class))))

(defun raise ()
  "Turns the pending exception into a condition."
  (let* ((exception (|PyErr_GetRaisedException|))
         (type (class-name-of exception))
         (text (text-of (|PyObject_Str| exception))))
    (drop exception)
    (error 'py-error :type type :text text)))

(defun adopted (owned)
  "What is no container is put into one: only those can be adopted."
  (if (plusp (|PyObject_IS_GC| owned))
      (wrap (checked (|PyBoehm_Adopt| owned)) nil)
      (let ((cell (|PyCell_New| owned)))
        (drop owned)
        (wrap (checked (|PyBoehm_Adopt| cell)) t))))

(defun items-of (owned)
  (prog1 (loop for i below (|PySequence_Size| owned)
               collect (to-lisp (|PySequence_GetItem| owned i)))
    (drop owned)))

(defun to-lisp (owned)
  (let* ((class (|PyObject_Type| (checked owned)))
         (name (car (rassoc (ffi:pointer-address class) *classes*))))
    (drop class)
    (flet ((dropped (value)
             (drop owned)
             value))
      (ecase name
        (:none (dropped nil))
        (:bool (dropped (= (ffi:pointer-address owned) *true*)))
        (:int (dropped (parse-integer (text-of (|PyObject_Str| owned)))))
        (:float (dropped (|PyFloat_AsDouble| owned)))
        (:str (text-of owned))
        (:tuple (items-of owned))
        (:list (coerce (items-of owned) 'vector))
        ((nil) (adopted owned))))))

(defun tuple-of (values)
  (let ((tuple (checked (|PyTuple_New| (length values)))))
    (loop for value in values
          for i from 0
          do (|PyTuple_SetItem| tuple i (to-python value)))
    tuple))

(defun to-python (value)
  (checked
   (etypecase value
     (py-object (owned-of value))
     (null (|PyObject_GetAttrString| *builtins* "None"))
     ((eql t) (|PyBool_FromLong| 1))
     (integer (|PyLong_FromString| (format nil "~d" value) *null* 10))
     (real (|PyFloat_FromDouble| (coerce value 'double-float)))
     (string (|PyUnicode_FromString| (to-utf8 value)))
     (list (tuple-of value))
     (vector (let ((tuple (tuple-of (coerce value 'list))))
               (prog1 (|PySequence_List| tuple)
                 (drop tuple)))))))

(defun owned-of (object)
  (let ((pointer (py-object-pointer object)))
    (if (py-object-boxed object)
        (|PyCell_Get| pointer)
        (progn (|Py_IncRef| pointer) pointer))))

(defmacro with-owned ((name form) &body body)
  `(let ((,name ,form))
     (unwind-protect (progn ,@body)
       (drop ,name))))

(defmethod print-object ((object py-object) stream)
  (with-python
    (with-owned (owned (owned-of object))
      (write-string (text-of (|PyObject_Repr| owned)) stream))))

;;; ------------------------------------------------------------------
;;; What a program calls

(defun py-import (name)
  (with-python (to-lisp (|PyImport_ImportModule| (to-utf8 name)))))

(defun py-get (object name)
  (with-python
    (with-owned (owned (to-python object))
      (to-lisp (|PyObject_GetAttrString| owned (to-utf8 name))))))

(defun (setf py-get) (value object name)
  (with-python
    (with-owned (owned (to-python object))
      (with-owned (new (to-python value))
        (when (minusp (|PyObject_SetAttrString| owned (to-utf8 name) new))
          (raise))))
    value))

(defun keywords-of (arguments)
  (let ((dict (checked (|PyDict_New|))))
    (loop for (key value) on arguments by #'cddr
          do (with-owned (owned (to-python value))
               (|PyDict_SetItemString| dict (string-downcase key) owned)))
    dict))

(defun py-call (object &rest arguments)
  "Arguments by position, then by keyword: (py-call custom \"Ada\" :number 1)."
  (with-python
    (let ((first (or (position-if #'keywordp arguments) (length arguments))))
      (with-owned (owned (to-python object))
        (with-owned (tuple (tuple-of (subseq arguments 0 first)))
          (with-owned (dict (keywords-of (subseq arguments first)))
            (to-lisp (|PyObject_Call| owned tuple dict))))))))

(defun py-send (object name &rest arguments)
  (apply #'py-call (py-get object name) arguments))

(defun py-collect ()
  "A full collection of both heaps; how many objects it collected."
  (with-python (|PyGC_Collect|)))

;;; ------------------------------------------------------------------
;;; What is in the heap, and why

(ffi:def-function ("fopen" c-fopen) ((name :cstring) (mode :cstring))
  :returning :pointer-void :module *library*)
(ffi:def-function ("fclose" c-fclose) ((file :pointer-void))
  :returning :int :module *library*)

(defun call-with-file (name mode function)
  "What FUNCTION returns of a C stream to the file NAME: MODE is \"a\", to add
to it, or \"w\"."
  (let ((file (c-fopen (to-utf8 (namestring name)) mode)))
    (when (ffi:null-pointer-p file)
      (error "~a cannot be written" name))
    (unwind-protect (funcall function file)
      (c-fclose file))))

(defun checked-number (n)
  (when (minusp n)
    (raise))
  n)

(defun py-why-alive (object &optional (file "/dev/stderr"))
  "Writes what holds the C object; does anything?"
  (with-python
    (with-owned (owned (to-python object))
      (call-with-file file "a"
        (lambda (stream)
          (plusp (checked-number (|PyBoehm_WhyAlive| owned stream))))))))

(defmacro defreport (name arguments (mode stream) documentation call)
  "A function NAME that opens FILE, one of its arguments, and returns the number
that CALL returns of the stream."
  `(defun ,name ,arguments
     ,documentation
     (with-python
       (call-with-file file ,mode
         (lambda (,stream) (checked-number ,call))))))

(defreport py-audit (&optional (file "/dev/stderr")) ("a" stream)
  "Writes what is wrong with types, and returns how much that is."
  (|PyBoehm_Audit| stream 0))

(defreport py-growth (&optional (file "/dev/stderr")) ("a" stream)
  "Writes which types have grown since the last call, and returns how many."
  (|PyBoehm_Growth| stream))

(defreport py-write-leaks (&optional (file "/dev/stderr")) ("a" stream)
  "Writes what is alive, and what holds it; returns how many objects."
  (|PyBoehm_WriteLeaks| stream))

(defreport py-write-graph (file &key json) ("w" stream)
  "Writes all containers and what they refer to, in DOT or in JSON."
  (|PyBoehm_WriteGraph| stream *null* 0 -1 (if json 2 1)))

(defreport py-write-report (file &key folded) ("w" stream)
  "Writes the heap as a page for a browser or, FOLDED, as stacks for tools that
draw flame graphs, for which PYBOEHM_TRACE must be set."
  (|PyBoehm_WriteReport| stream (if folded 2 1)))

;;; ------------------------------------------------------------------

(|Py_Initialize|)
(defparameter *builtins* (checked (|PyImport_ImportModule| "builtins")))
(defparameter *true* (address-of "_Py_TrueStruct"))
(defparameter *classes*
  (loop for (key symbol) in '((:bool "PyBool_Type") (:int "PyLong_Type")
                              (:float "PyFloat_Type") (:str "PyUnicode_Type")
                              (:tuple "PyTuple_Type") (:list "PyList_Type"))
        collect (cons key (address-of symbol))))
(push (cons :none (ffi:pointer-address
                   (|PyObject_Type| (|PyObject_GetAttrString| *builtins*
                                                              "None"))))
      *classes*)
(|PyEval_SaveThread|)                   ; others may call, too
