/**
 * External events: what happens outside is taken on a lane of its own, kept on disk in one order
 * for all replicas, and applied to the tables that handlers look into.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.external;
