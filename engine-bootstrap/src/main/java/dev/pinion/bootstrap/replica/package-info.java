/** The replica: one JVM that runs the whole pipeline, started and supervised by the parent. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.replica;
