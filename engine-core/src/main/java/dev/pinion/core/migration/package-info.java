/** Partitions that move between replicas: release, transfer, acquire. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.migration;
