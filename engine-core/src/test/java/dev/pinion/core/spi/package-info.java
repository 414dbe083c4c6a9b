/** Tests of what other modules implement or tell the profiler by. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.spi;
