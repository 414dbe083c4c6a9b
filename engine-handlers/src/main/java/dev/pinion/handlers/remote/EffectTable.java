package dev.pinion.handlers.remote;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Durable record of the effects that hosts begin and of their outcomes, so that each happens once.
 * For use by any thread.
 */
interface EffectTable extends AutoCloseable {
  /** Name shared by hosts with the same table; empty when no other host can read it. */
  String name();

  /**
   * Claims an effect for a host that does not have it under way. An effect that the host has begun
   * before without recording its end counts as taken over; if the table could not answer an earlier
   * claim of the host, its answer is the one due then.
   *
   * @param lost the hosts that are known to be lost; their effects may be taken over
   */
  EffectClaim begin(EffectKey key, UUID host, List<UUID> lost) throws SQLException;

  /** The host that has an effect which has not ended, or null. */
  @Nullable UUID owner(EffectKey key) throws SQLException;

  /** Records the end of an effect; returns false when another host has it by now. */
  boolean end(EffectKey key, UUID host, byte[] answer) throws SQLException;

  /** Deletes entries that are too old to be requested. */
  void forget() throws SQLException;

  @Override
  void close() throws SQLException;

  /** No table: effects of a host are known only in its memory, and lost with it. */
  static EffectTable none() {
    return new EffectTable() {
      @Override
      public String name() {
        return "";
      }

      @Override
      public EffectClaim begin(EffectKey key, UUID host, List<UUID> lost) {
        return EffectClaim.FRESH;
      }

      @Override
      public @Nullable UUID owner(EffectKey key) {
        return null;
      }

      @Override
      public boolean end(EffectKey key, UUID host, byte[] answer) {
        return true;
      }

      @Override
      public void forget() {}

      @Override
      public void close() {}
    };
  }
}
