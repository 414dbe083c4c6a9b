package dev.pinion.bootstrap.topology;

import dev.pinion.bootstrap.topology.Topology.Cache;
import dev.pinion.bootstrap.topology.Topology.CacheType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the caches of every CPU. */
final class CacheReader {
  private final SysfsCpuFiles files;
  private final CpuSet online;
  private final List<String> notes;
  private final Map<Cache, Cache> all = new LinkedHashMap<>();
  private final Map<Integer, Cache> lastLevels = new LinkedHashMap<>();

  CacheReader(SysfsCpuFiles files, CpuSet online, List<String> notes) {
    this.files = files;
    this.online = online;
    this.notes = notes;
    for (int cpu = online.first(); cpu >= 0; cpu = online.next(cpu)) {
      readCpu(cpu);
    }
  }

  /** Every cache once. */
  List<Cache> all() {
    return List.copyOf(all.values());
  }

  /** By CPU, its data cache of the highest level; CPUs without cache data are absent. */
  Map<Integer, Cache> lastLevels() {
    return lastLevels;
  }

  private void readCpu(int cpu) {
    String folder = SysfsCpuFiles.CPU + "/cpu" + cpu + "/cache";
    CpuSet indexes = files.numbered(folder, "index");
    for (int index = indexes.first(); index >= 0; index = indexes.next(index)) {
      Cache cache = cache(folder + "/index" + index, cpu);
      if (cache != null) {
        recordLastLevel(cpu, known(cache));
      }
    }
  }

  /**
   * The cache merged from the reports of all CPUs that share it: its size may be missing for some
   * of them.
   */
  private Cache known(Cache cache) {
    Cache place = new Cache(cache.level(), cache.type(), null, cache.cpus());
    Cache before = all.get(place);
    if (before == null) {
      all.put(place, cache);
      return cache;
    }
    if (!Objects.equals(before.sizeBytes(), cache.sizeBytes())) {
      note("CPUs differ about the size of a cache they share, or some have none: one size counts");
      if (before.sizeBytes() == null) {
        all.put(place, cache);
        return cache;
      }
    }
    return before;
  }

  private void recordLastLevel(int cpu, Cache cache) {
    Cache last = lastLevels.get(cpu);
    if (cache.type() != CacheType.INSTRUCTION && (last == null || cache.level() > last.level())) {
      lastLevels.put(cpu, cache);
    }
  }

  private @Nullable Cache cache(String folder, int cpu) {
    Integer level = files.number(folder + "/level");
    CacheType type = type(files.text(folder + "/type"));
    if (level == null || type == null) {
      note("some caches have no level or no type: they are skipped");
      return null;
    }
    return new Cache(level, type, files.size(folder + "/size"), sharers(folder, cpu));
  }

  private CpuSet sharers(String folder, int cpu) {
    CpuSet shared = files.listOrMask(folder + "/shared_cpu_list", folder + "/shared_cpu_map");
    if (shared == null || !shared.contains(cpu)) {
      note("some caches do not name the CPU they belong to; each is taken as private to its CPU");
      return CpuSet.of(cpu);
    }
    return shared.and(online);
  }

  private void note(String text) {
    if (!notes.contains(text)) {
      notes.add(text);
    }
  }

  private static @Nullable CacheType type(@Nullable String text) {
    if ("Data".equals(text)) {
      return CacheType.DATA;
    }
    if ("Instruction".equals(text)) {
      return CacheType.INSTRUCTION;
    }
    return "Unified".equals(text) ? CacheType.UNIFIED : null;
  }
}
