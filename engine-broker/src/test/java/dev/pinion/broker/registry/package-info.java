/** Tests of what is registered and published. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.registry;
