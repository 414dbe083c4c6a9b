/** Commands that record and compare profiles. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.cli.profile;
