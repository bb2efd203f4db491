# include/local.mk: the public headers, installed under pyboehm/.

pkginclude_HEADERS = \
	include/Python.h \
	include/abstract.h \
	include/bltinmodule.h \
	include/boolobject.h \
	include/bytearrayobject.h \
	include/bytesobject.h \
	include/cellobject.h \
	include/ceval.h \
	include/classobject.h \
	include/code.h \
	include/codecs.h \
	include/compile.h \
	include/complexobject.h \
	include/context.h \
	include/critical_section.h \
	include/descrobject.h \
	include/dictobject.h \
	include/enumobject.h \
	include/eval.h \
	include/fileobject.h \
	include/floatobject.h \
	include/frameobject.h \
	include/funcobject.h \
	include/genericaliasobject.h \
	include/genobject.h \
	include/import.h \
	include/intrcheck.h \
	include/iterobject.h \
	include/listobject.h \
	include/longobject.h \
	include/marshal.h \
	include/memoryobject.h \
	include/methodobject.h \
	include/modsupport.h \
	include/moduleobject.h \
	include/namespaceobject.h \
	include/object.h \
	include/objimpl.h \
	include/odictobject.h \
	include/osmodule.h \
	include/patchlevel.h \
	include/picklebufobject.h \
	include/pyboehm.h \
	include/pybuffer.h \
	include/pycapsule.h \
	include/pyconfig.h \
	include/pydebug.h \
	include/pyerrors.h \
	include/pyframe.h \
	include/pyhash.h \
	include/pylifecycle.h \
	include/pymem.h \
	include/pyport.h \
	include/pystate.h \
	include/pystrtod.h \
	include/pythonrun.h \
	include/pythread.h \
	include/pytime.h \
	include/rangeobject.h \
	include/sentinelobject.h \
	include/setobject.h \
	include/sliceobject.h \
	include/structmember.h \
	include/structseq.h \
	include/sysmodule.h \
	include/traceback.h \
	include/tupleobject.h \
	include/typeslots.h \
	include/unicodeobject.h \
	include/warnings.h \
	include/weakrefobject.h

# What CPython has under other names, or not at all: in a directory where no
# program looks, for a header of its own may be called the same.
partsdir = $(pkgincludedir)/pyboehm
parts_HEADERS = \
	include/pyboehm/abiinfo.h \
	include/pyboehm/call.h \
	include/pyboehm/iterprotocol.h \
	include/pyboehm/lock.h \
	include/pyboehm/mappingprotocol.h \
	include/pyboehm/numberprotocol.h \
	include/pyboehm/objectprotocol.h \
	include/pyboehm/oldnames.h \
	include/pyboehm/sequenceprotocol.h \
	include/pyboehm/slots.h \
	include/pyboehm/unicodechars.h \
	include/pyboehm/unicodewriter.h \
	include/pyboehm/watch.h
