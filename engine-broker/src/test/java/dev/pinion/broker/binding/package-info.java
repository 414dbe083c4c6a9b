/** Tests of the table by which invocations are bound. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.binding;
