/** A replica as a child process: its command line, the protocol over its pipes, its end. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.process;
