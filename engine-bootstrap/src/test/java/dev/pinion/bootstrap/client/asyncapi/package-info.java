@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.client.asyncapi;
