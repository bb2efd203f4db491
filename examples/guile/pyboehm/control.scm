;;; control.scm: the order in which Scheme and C come in and go out: which
;;; thread is attached, what is given up, and what has no way out.

(define-module (pyboehm control)
  #:use-module (pyboehm c)
  #:export (outcome attached detached owning filled))

;; What thunk returns or raises, as a thunk that does so.
(define (outcome thunk)
  (with-exception-handler
      (lambda (exception) (lambda () (raise-exception exception)))
    (lambda ()
      (let ((value (thunk)))
        (lambda () value)))
    #:unwind? #t))

;; Calls thunk while this thread is attached.  What it raises is raised
;; afterwards: a debugger that stops there must not keep other threads out.
(define (attached thunk)
  (let* ((state #f)
         (done (dynamic-wind
                 (lambda () (set! state (ensure-gil)))
                 (lambda () (outcome thunk))
                 (lambda () (release-gil state)))))
    (done)))

;; Calls thunk, Scheme code that C has called, while this thread is detached:
;; it may wait for another one.
(define (detached thunk)
  (let ((state (save-thread))
        (done #f))
    (with-continuation-barrier
     (lambda ()
       (set! done (outcome (lambda () (confined thunk))))))
    (restore-thread state)
    (done)))

;; Calls thunk.  The way out leads through the C code, and must not come to the
;; barrier around it, which stops continuations but not escapes to a prompt, and
;; is in disorder after one: an escape is turned into an error.
(define (confined thunk)
  (let ((tag (make-prompt-tag))
        (done #f))
    (call-with-prompt tag
      (lambda ()
        (dynamic-wind (const #f)
                      (lambda () (set! done (outcome thunk)))
                      (lambda () (unless done (abort-to-prompt tag))))
        (done))
      (lambda (continuation)
        (error "an escape cannot leave a call from C")))))

;; The result of (use op), after op, which is owned, was given up.
(define (owning op use)
  (let ((done (outcome (lambda () (use op)))))
    (decref op)
    (done)))

;; op, which is owned and new, after (fill op); given up if that fails.
(define (filled op fill)
  (with-exception-handler
      (lambda (exception)
        (decref op)
        (raise-exception exception))
    (lambda ()
      (fill op)
      op)
    #:unwind? #t))
