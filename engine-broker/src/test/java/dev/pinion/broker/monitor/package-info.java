/** Tests of {@code dev.pinion.broker.monitor}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.monitor;
