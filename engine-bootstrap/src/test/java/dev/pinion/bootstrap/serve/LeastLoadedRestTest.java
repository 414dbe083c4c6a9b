package dev.pinion.bootstrap.serve;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Two replicas; starts go to the one with the fewest instances under way. */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class LeastLoadedRestTest extends RestSuite {
  @Override
  String[] options() {
    return new String[] {"--replicas", "2", "--dispatch", "least-loaded"};
  }
}
