/** Tests of the broker's front-end. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.front;
