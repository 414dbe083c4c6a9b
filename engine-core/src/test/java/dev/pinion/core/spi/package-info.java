/** Tests of the ports and of the sampling hook of the profiler. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.spi;
