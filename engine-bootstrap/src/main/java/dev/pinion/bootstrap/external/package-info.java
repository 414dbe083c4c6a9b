/**
 * External events: accepted on a separate lane, stored on disk in one order for all replicas, and
 * applied to the tables that handlers read.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.external;
