/** Tests of admission. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.admission;
