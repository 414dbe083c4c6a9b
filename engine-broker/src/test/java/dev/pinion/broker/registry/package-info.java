/** Tests of the registry and the published table. */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.registry;
