package dev.pinion.core.program;

import java.util.concurrent.ExecutorService;

/**
 * What the runs of programs of a replica share.
 *
 * @param commands makes their command lines
 * @param guard kills them when the engine is gone
 * @param kills counts those that are killed
 * @param streams threads for their inputs and outputs
 */
record ProgramHost(
    ProgramCommands commands, ProgramGuard guard, ProgramKills kills, ExecutorService streams) {}
