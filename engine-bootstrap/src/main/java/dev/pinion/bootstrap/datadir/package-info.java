/** The data directory: identity, lock, permissions, watch. JDK only (parent). */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.datadir;
