;;; c.scm: the functions of libpyboehm that (pyboehm) calls.

(define-module (pyboehm c)
  #:use-module (system foreign)
  #:use-module (system foreign-library))

;; Global, for the extension modules take their functions from it.
(define library
  (load-foreign-library "libpyboehm.so.0" #:extensions '() #:global? #t))

(define-syntax-rule (define-c name result symbol argument ...)
  (define-public name
    (foreign-library-function library symbol
                              #:return-type result
                              #:arg-types (list argument ...))))

(define-public (address-of symbol)
  (foreign-library-pointer library symbol))

(define-c initialize void "Py_Initialize")
(define-c ensure-gil int "PyGILState_Ensure")
(define-c release-gil void "PyGILState_Release" int)
(define-c save-thread '* "PyEval_SaveThread")
(define-c restore-thread void "PyEval_RestoreThread" '*)

(define-c incref void "Py_IncRef" '*)
(define-c decref void "Py_DecRef" '*)
(define-c adopt '* "PyBoehm_Adopt" '*)
(define-c collect ssize_t "PyGC_Collect")
(define-c why-alive int "PyBoehm_WhyAlive" '* '*)
(define-c audit int "PyBoehm_Audit" '* int)
(define-c write-graph int "PyBoehm_WriteGraph" '* '* ssize_t int int)
(define-c write-report int "PyBoehm_WriteReport" '* int)
(define-c write-leaks ssize_t "PyBoehm_WriteLeaks" '*)
(define-c growth int "PyBoehm_Growth" '*)

;; Of the C library: the functions above write to its streams.
(define-public fopen
  (foreign-library-function #f "fopen" #:return-type '*
                            #:arg-types '(* *)))
(define-public fclose
  (foreign-library-function #f "fclose" #:return-type int #:arg-types '(*)))

(define-c error-occurred '* "PyErr_Occurred")
(define-c clear-error void "PyErr_Clear")
(define-c raised-exception '* "PyErr_GetRaisedException")
(define-c set-raised-exception void "PyErr_SetRaisedException" '*)
(define-c new-exception '* "PyErr_NewException" '* '* '*)

(define-c import-module '* "PyImport_Import" '*)
(define-c object-type '* "PyObject_Type" '*)
(define-c object-repr '* "PyObject_Repr" '*)
(define-c object-str '* "PyObject_Str" '*)
(define-c object-true? int "PyObject_IsTrue" '*)
(define-c object-size ssize_t "PyObject_Size" '*)
(define-c object-call '* "PyObject_Call" '* '* '*)
(define-c get-attribute '* "PyObject_GetAttr" '* '*)
(define-c set-attribute int "PyObject_SetAttr" '* '* '*)
(define-c get-item '* "PyObject_GetItem" '* '*)
(define-c set-item int "PyObject_SetItem" '* '* '*)
(define-c delete-item int "PyObject_DelItem" '* '*)
(define-c get-iterator '* "PyObject_GetIter" '*)
(define-c next-item '* "PyIter_Next" '*)

(define-c cell-new '* "PyCell_New" '*)
(define-c cell-contents '* "PyCell_Get" '*)
(define-c bool-from-long '* "PyBool_FromLong" long)
(define-c float-from-double '* "PyFloat_FromDouble" double)
(define-c float-as-double double "PyFloat_AsDouble" '*)
(define-c complex-from-doubles '* "PyComplex_FromDoubles" double double)
(define-c complex-real double "PyComplex_RealAsDouble" '*)
(define-c complex-imaginary double "PyComplex_ImagAsDouble" '*)
(define-c long-from-int64 '* "PyLong_FromInt64" int64)
(define-c long-from-bytes '* "PyLong_FromNativeBytes" '* size_t int)
(define-c long-as-bytes ssize_t "PyLong_AsNativeBytes" '* '* ssize_t int)
(define-c bytes-new '* "PyBytes_FromStringAndSize" '* ssize_t)
(define-c bytes-contents '* "PyBytes_AsString" '*)
(define-c bytes-size ssize_t "PyBytes_Size" '*)
(define-c str-new '* "PyUnicode_FromStringAndSize" '* ssize_t)
(define-c str-as-utf8 '* "PyUnicode_AsUTF8String" '*)
(define-c list-new '* "PyList_New" ssize_t)
(define-c list-append int "PyList_Append" '* '*)
(define-c list->tuple '* "PyList_AsTuple" '*)
(define-c dict-new '* "PyDict_New")

(define-c type-from-spec '* "PyType_FromSpecWithBases" '* '*)
(define-c type-allocate '* "PyType_GenericAlloc" '* ssize_t)
(define-c type-data '* "PyObject_GetTypeData" '* '*)
