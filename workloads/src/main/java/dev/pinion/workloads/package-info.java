/** The command line of everything that drives the engine from outside. */
@org.jspecify.annotations.NullMarked
package dev.pinion.workloads;
