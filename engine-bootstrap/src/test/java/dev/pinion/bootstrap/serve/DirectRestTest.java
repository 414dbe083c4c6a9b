package dev.pinion.bootstrap.serve;

import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** One replica that listens itself. */
@EnabledOnOs(OS.LINUX)
class DirectRestTest extends RestSuite {
  @Override
  String[] options() {
    return new String[] {"--replicas", "1"};
  }
}
