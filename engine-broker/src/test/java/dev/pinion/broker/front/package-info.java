/** Tests of the front desk. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.front;
