/** The command line: one class per command, and the client of a running engine. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli;
