/** Tests of the table that invocations are bound by. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.binding;
