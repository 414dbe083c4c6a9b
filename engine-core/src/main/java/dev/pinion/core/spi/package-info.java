/** Interfaces that other modules implement. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.spi;
