/** Tests of {@code broker.analyse}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.analyse;
