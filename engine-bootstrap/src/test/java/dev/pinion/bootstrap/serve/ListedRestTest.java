package dev.pinion.bootstrap.serve;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Replicas on listed CPUs. */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class ListedRestTest extends RestSuite {
  @Override
  String[] options() {
    return new String[] {"--replicas", "0/1"};
  }
}
