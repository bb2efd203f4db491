/* shapes.i: for SWIG. */

%module(directors="1") shapes

%{
#include "shapes.h"
int Shape::living;
%}

%include <exception.i>
%include <std_string.i>
%include <std_vector.i>

%exception {
    try {
        $action
    } catch (const std::invalid_argument &error) {
        SWIG_exception(SWIG_ValueError, error.what());
    } catch (const std::exception &error) {
        SWIG_exception(SWIG_RuntimeError, error.what());
    }
}

%template(Numbers) std::vector<double>;
%feature("director") Shape;
%include "shapes.h"
