package dev.pinion.benchmarks.testbed;

import dev.pinion.benchmarks.experiment.MachineSize;
import dev.pinion.bootstrap.cli.topology.TopologySvg;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.PlacementSettings;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.DirectoryTree;
import dev.pinion.bootstrap.topology.FileTree;
import dev.pinion.bootstrap.topology.MachineProbe;
import dev.pinion.bootstrap.topology.SysfsProbe;
import dev.pinion.bootstrap.topology.Topology;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The machine with all CPUs allowed to this program, although this JVM may be confined to those of
 * the load.
 *
 * @param topology its topology
 */
public record UnconfinedMachine(Topology topology) {
  private static final String STATUS = "proc/self/status";

  /** Reads the machine with these CPUs as the allowed ones. */
  public static UnconfinedMachine read(CpuSet allowed) {
    if (!MachineProbe.onLinux()) {
      return new UnconfinedMachine(MachineProbe.probe());
    }
    FileTree live = DirectoryTree.live();
    return new UnconfinedMachine(
        SysfsProbe.probe(
            new FileTree() {
              @Override
              public @Nullable String read(String path) {
                return path.equals(STATUS) ? "Cpus_allowed_list:\t" + allowed : live.read(path);
              }

              @Override
              public List<String> names(String folder) {
                return live.names(folder);
              }
            }));
  }

  /** Facts of the machine that decide which effects can show on it. */
  public MachineSize facts(CpuPlacement placement) {
    return new MachineSize(
        topology.allowed().size(), topology.allowedGroups().size(), placement.shared());
  }

  /** Last-level caches among the CPUs of the engine. */
  public int caches(CpuSet engine) {
    return (int)
        topology.allowedGroups().stream().filter(each -> each.cpus().intersects(engine)).count();
  }

  /** A drawing of it with a replica for each cache, in SVG. */
  public String drawing(String name) {
    return new TopologySvg(topology, PlacementPlanner.plan(topology, PlacementSettings.AUTO), name)
        .draw();
  }
}
