@org.jspecify.annotations.NullMarked
package dev.pinion.handlers;
