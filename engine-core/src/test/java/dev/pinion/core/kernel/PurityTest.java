package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The kernel does no I/O, reads no clock and takes no lock; replay, simulation and every test here
 * rest on it. Time is an argument, randomness a function of the instance's id.
 */
class PurityTest {
  private static final List<String> PACKAGES =
      List.of(
          "java/io/",
          "java/net/",
          "java/nio/",
          "java/util/concurrent/locks/",
          "java/time/Clock",
          "java/util/Random",
          "java/util/concurrent/ThreadLocalRandom",
          "java/util/concurrent/CompletableFuture",
          "java/util/concurrent/Executor",
          "java/lang/Thread",
          "java/lang/Process",
          "java/security/",
          "io/netty/",
          "com/fasterxml/");

  private static final Set<String> METHODS =
      Set.of(
          "java/lang/System.nanoTime",
          "java/lang/System.currentTimeMillis",
          "java/lang/System.identityHashCode",
          "java/lang/System.getenv",
          "java/lang/System.getProperty",
          "java/lang/Math.random",
          "java/lang/Object.wait",
          "java/lang/Object.notify",
          "java/lang/Object.notifyAll",
          "java/util/UUID.randomUUID",
          "java/time/Instant.now");

  @Test
  void shouldReferToNothingImpure() throws Exception {
    List<String> found = new ArrayList<>();
    int classes = 0;
    for (Path file : kernelClasses()) {
      classes++;
      found.addAll(impurities(ClassFile.of().parse(file).constantPool(), file));
    }

    assertTrue(classes > 20, "classes examined: " + classes);
    assertEquals(List.of(), found);
  }

  @Test
  void shouldSeeWhatIsImpure() throws Exception {
    Path self = root(PurityTest.class).resolve("dev/pinion/core/kernel/PurityTest.class");

    assertFalse(impurities(ClassFile.of().parse(self).constantPool(), self).isEmpty());
  }

  @Test
  void shouldTakeNoMonitor() throws Exception {
    for (Path file : kernelClasses()) {
      for (var method : ClassFile.of().parse(file).methods()) {
        String where = file.getFileName() + "." + method.methodName();
        assertEquals(0, method.flags().flagsMask() & ClassFile.ACC_SYNCHRONIZED, where);
        boolean monitor =
            method.code().stream()
                .flatMap(code -> code.elementStream())
                .anyMatch(java.lang.classfile.instruction.MonitorInstruction.class::isInstance);
        assertFalse(monitor, where);
      }
    }
  }

  private static List<String> impurities(Iterable<PoolEntry> pool, Path file) {
    List<String> found = new ArrayList<>();
    for (PoolEntry entry : pool) {
      if (entry instanceof ClassEntry type) {
        String name = type.asInternalName();
        if (PACKAGES.stream().anyMatch(name::startsWith)) {
          found.add(file.getFileName() + " refers to " + name);
        }
      } else if (entry instanceof MemberRefEntry member) {
        String name = member.owner().asInternalName() + "." + member.name().stringValue();
        if (METHODS.contains(name)) {
          found.add(file.getFileName() + " calls " + name);
        }
      }
    }
    return found;
  }

  private static List<Path> kernelClasses() throws IOException, URISyntaxException {
    try (Stream<Path> files = Files.walk(root(Kernel.class).resolve("dev/pinion/core/kernel"))) {
      return files.filter(file -> file.toString().endsWith(".class")).sorted().toList();
    }
  }

  private static Path root(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
