// pybind_shapes.cpp: an extension module that pybind11 makes.
//
// Classes, holders, functions, containers of the library, exceptions, buffers,
// weak references, and a class that the collector may look into.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>

#include "shapes.h"

namespace py = pybind11;

int Shape::living;

// Methods of Shape in subclasses made by type().
class PyShape : public Shape
{
public:
    using Shape::Shape;
    double area() const override
    {
        PYBIND11_OVERRIDE_PURE(double, Shape, area);
    }
};

// Owns any object, and so may be part of a cycle.
struct Box {
    py::object content;
};

static int
box_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    auto &box = py::cast<Box &>(py::handle(self));
    Py_VISIT(box.content.ptr());
    return 0;
}

static int
box_clear(PyObject *self)
{
    auto &box = py::cast<Box &>(py::handle(self));

    box.content = py::none();
    return 0;
}

struct Matrix {
    Matrix(py::ssize_t rows, py::ssize_t columns)
        : rows(rows), columns(columns), cells((size_t)(rows * columns))
    {
    }
    py::ssize_t rows, columns;
    std::vector<double> cells;
};

PYBIND11_MODULE(pybind_shapes, m)
{
    py::class_<Shape, PyShape, std::shared_ptr<Shape>>(m, "Shape")
        .def(py::init<const std::string &>())
        .def("area", &Shape::area)
        .def("describe", &Shape::describe)
        .def_readwrite("name", &Shape::name);
    py::class_<Square, Shape, std::shared_ptr<Square>>(m, "Square")
        .def(py::init<double>(), py::arg("side"))
        .def_readwrite("side", &Square::side);
    py::class_<Rectangle, Square, std::shared_ptr<Rectangle>>(m, "Rectangle")
        .def(py::init<double, double>(), py::arg("side"),
             py::arg("height") = 1.0)
        .def_property_readonly("height",
                               [](const Rectangle &r) { return r.height; });

    py::class_<Box>(m, "Box",
                    py::custom_type_setup([](PyHeapTypeObject *heap_type) {
                        PyTypeObject *type = &heap_type->ht_type;

                        type->tp_flags |= Py_TPFLAGS_HAVE_GC;
                        type->tp_traverse = box_traverse;
                        type->tp_clear = box_clear;
                    }))
        .def(py::init<>())
        .def_readwrite("content", &Box::content);

    py::class_<Matrix>(m, "Matrix", py::buffer_protocol())
        .def(py::init<py::ssize_t, py::ssize_t>())
        .def_buffer([](Matrix &x) {
            return py::buffer_info(
                x.cells.data(), sizeof(double),
                py::format_descriptor<double>::format(), 2,
                {x.rows, x.columns},
                {(py::ssize_t)sizeof(double) * x.columns,
                 (py::ssize_t)sizeof(double)});
        });

    m.def("count_living", count_living);
    m.def("total", total);
    m.def("area_of", area_of);
    m.def("fail", fail);
    m.def("squares", [](const std::vector<double> &sides) {
        std::vector<std::shared_ptr<Square>> squares;

        for (double side : sides)
            squares.push_back(std::make_shared<Square>(side));
        return squares;
    });
    m.def("sum_of_buffer", [](py::buffer b) {
        py::buffer_info info = b.request();
        double sum = 0;

        if (info.format != py::format_descriptor<double>::format())
            throw py::type_error("no buffer of doubles");
        for (py::ssize_t i = 0; i < info.size; i++)
            sum += static_cast<double *>(info.ptr)[i];
        return sum;
    });
    m.def("call", [](py::function function, py::args args,
                     py::kwargs keywords) {
        return function(*args, **keywords);
    });
    py::register_exception<std::out_of_range>(m, "OutOfRange",
                                              PyExc_LookupError);
    m.def("throw_out_of_range",
          [] { throw std::out_of_range("out of range"); });
}
