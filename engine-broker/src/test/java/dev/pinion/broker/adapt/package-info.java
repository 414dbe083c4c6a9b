/** Tests of {@code dev.pinion.broker.adapt}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.adapt;
