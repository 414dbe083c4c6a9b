/** The command line of the programs that drive the engine from outside. */
@org.jspecify.annotations.NullMarked
package dev.pinion.workloads;
