/** Clients of the protocols besides plain HTTP by which tasks call services. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.client;
