/** The parent process: probe, plan, start, supervise. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.serve;
