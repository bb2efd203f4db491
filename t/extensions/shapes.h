/* shapes.h: what SWIG and pybind11 are to make extension modules of. */

#ifndef SHAPES_H
#define SHAPES_H

#include <stdexcept>
#include <string>
#include <vector>

class Shape
{
  public:
    explicit Shape(const std::string &name) : name(name)
    {
        living++;
    }
    Shape(const Shape &other) : name(other.name)
    {
        living++;
    }
    virtual ~Shape()
    {
        living--;
    }
    virtual double area() const = 0;
    virtual std::string describe() const
    {
        return name + " of " + std::to_string((int)area());
    }

    std::string name;
    static int living; /* shapes that there are */
};

class Square : public Shape
{
  public:
    explicit Square(double side) : Shape("square"), side(side)
    {
        if (side < 0)
            throw std::invalid_argument("a side is negative");
    }
    double area() const
    {
        return side * side;
    }

    double side;
};

class Rectangle : public Square
{
  public:
    Rectangle(double side, double height) : Square(side), height(height)
    {
        name = "rectangle";
    }
    double area() const
    {
        return side * height;
    }

    double height;
};

inline int
count_living()
{
    return Shape::living;
}

inline double
total(const std::vector<double> &numbers)
{
    double sum = 0;

    for (double number : numbers)
        sum += number;
    return sum;
}

inline double
area_of(const Shape &shape)
{
    return shape.area();
}

inline void
fail(const std::string &text)
{
    throw std::runtime_error(text);
}

#endif
