/** Programs that tasks run on this machine: shells, scripts and containers. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.program;
