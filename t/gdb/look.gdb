# look.gdb: what t/gdb/gdb.sh has gdb say of t/gdb/program, as it runs and in a
# core file.

echo --- an argument of a function\n
info args

echo --- numbers and texts\n
print none
print yes
print small
print large
print below
print real
print number_pair
print word
print umlaut
print quoted
print long_text
print octets
print octet_array

echo --- containers\n
print list
print loop
print nest
print pair
print single
print dict
print set
print frozen
print empty_dict
print empty_set
print full_cell
print empty_cell
print slice
with print elements 3 -- print wide

echo --- names\n
print module
print function
print bound
print method
print error
print error_type
print weak
print dead_weak

echo --- instances\n
print heap_type
print instance
print later
print listing
print head
print *head
print as_list
print &Node_Type

echo --- states\n
print adopted
print risen
print dropped
print (PyObject *)no_object
print (PyObject *)8
print (PyObject *)((char *)list + 1)
print (PyObject *)0

echo --- pyboehm-info: an object\n
pyboehm-info head
echo --- the inside of one\n
pyboehm-info inside
echo --- the inside of a large one\n
with print elements 3 -- pyboehm-info &((PyTupleObject *)wide)->ob_item[700]
echo --- a static one\n
pyboehm-info &Node_Type
echo --- an adopted one\n
pyboehm-info adopted
echo --- a structure\n
pyboehm-info *as_list
echo --- a free block\n
pyboehm-info dropped
echo --- no object\n
pyboehm-info no_object
echo --- nothing\n
pyboehm-info 8

echo --- pyboehm-referrers: members\n
pyboehm-referrers set
pyboehm-referrers head
echo --- items, keys, values, elements\n
pipe pyboehm-referrers pair | sort -k 2
pipe pyboehm-referrers real | sort -k 2
echo --- attributes\n
pyboehm-referrers later_name
echo --- no reference\n
pyboehm-referrers instance

echo --- pyboehm-heap\n
pipe pyboehm-heap | grep -E 'Node|Listing|[a-z] by |number| 0  gen|adopt|final|Free'
pipe pyboehm-heap Person | sort -k 2
pyboehm-heap Nobody
