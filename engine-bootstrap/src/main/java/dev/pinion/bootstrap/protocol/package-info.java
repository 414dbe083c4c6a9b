/** What parent and child processes say to each other, and the settings in it. JDK only (parent). */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.protocol;
