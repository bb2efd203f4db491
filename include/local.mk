# include/local.mk: the public headers, installed under pyboehm/.

pkginclude_HEADERS = \
	include/Python.h \
	include/abstract.h \
	include/boolobject.h \
	include/bytearrayobject.h \
	include/bytesobject.h \
	include/call.h \
	include/classobject.h \
	include/complexobject.h \
	include/descrobject.h \
	include/dictobject.h \
	include/floatobject.h \
	include/import.h \
	include/iterobject.h \
	include/iterprotocol.h \
	include/listobject.h \
	include/longobject.h \
	include/mappingprotocol.h \
	include/methodobject.h \
	include/modsupport.h \
	include/moduleobject.h \
	include/numberprotocol.h \
	include/object.h \
	include/objectprotocol.h \
	include/objimpl.h \
	include/oldnames.h \
	include/patchlevel.h \
	include/pyboehm.h \
	include/pybuffer.h \
	include/pycapsule.h \
	include/pyerrors.h \
	include/pyhash.h \
	include/pylifecycle.h \
	include/pymem.h \
	include/pyport.h \
	include/pystrtod.h \
	include/sequenceprotocol.h \
	include/sliceobject.h \
	include/structmember.h \
	include/sysmodule.h \
	include/tupleobject.h \
	include/typeslots.h \
	include/unicodeobject.h \
	include/warnings.h \
	include/weakrefobject.h
