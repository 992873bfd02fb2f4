#ifndef CPROCESSSHIM_H
#define CPROCESSSHIM_H
// The few system calls that Swift cannot import because they are variadic or macros.
#endif
