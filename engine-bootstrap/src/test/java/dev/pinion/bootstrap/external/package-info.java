/** External events: acceptance, storage and application. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.external;
