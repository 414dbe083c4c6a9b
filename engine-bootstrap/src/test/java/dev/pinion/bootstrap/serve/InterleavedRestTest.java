package dev.pinion.bootstrap.serve;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** CPUs dealt in turn across the caches. */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class InterleavedRestTest extends RestSuite {
  @Override
  String[] options() {
    return new String[] {"--replicas", "interleaved"};
  }
}
