package tbf

import "github.com/netsched/netsched/qdisc"

// check fills in the default burst and gathers what is wrong with the numbers.
func check(cfg *Config) qdisc.ConfigErrors {
	var errs qdisc.ConfigErrors
	checkRates(cfg, &errs)
	if cfg.Overhead > 65535 {
		errs.Add("Overhead", cfg.Overhead, "0 to 65535 bytes a packet")
	}
	if cfg.MPU > 65535 {
		errs.Add("MPU", cfg.MPU, "0 to 65535 bytes")
	}
	if cfg.LimitBytes != nil && *cfg.LimitBytes < 0 {
		errs.Add("LimitBytes", *cfg.LimitBytes, "a limit in bytes is 0 or more")
	}
	if cfg.Burst == 0 {
		cfg.Burst = defaultBurst(cfg.Rate)
	}
	checkDepth(cfg, "Burst", cfg.Burst, &errs)
	if cfg.PeakRate != 0 {
		if cfg.MTU == 0 {
			errs.Add("MTU", 0, "PeakRate needs the depth of its bucket: at least the longest packet")
		}
		checkDepth(cfg, "MTU", cfg.MTU, &errs)
	}
	return errs
}

func checkRates(cfg *Config, errs *qdisc.ConfigErrors) {
	rate, peak := uint64(cfg.Rate), uint64(cfg.PeakRate)
	switch cfg.Compat {
	case qdisc.Exact:
	case qdisc.Linux:
		rate, peak = bytesPerSecond(cfg.Rate), bytesPerSecond(cfg.PeakRate)
	default:
		errs.Add("Compat", cfg.Compat, "Exact (0) or Linux (1)")
	}
	switch {
	case cfg.Rate == 0:
		errs.Add("Rate", cfg.Rate, "required: 1 bit/s or more")
	case rate == 0:
		errs.Add("Rate", cfg.Rate, "Linux counts whole bytes a second: 8 bit/s or more")
	case cfg.PeakRate != 0 && peak <= rate:
		errs.Add("PeakRate", cfg.PeakRate, "must exceed Rate (in Linux's arithmetic by a byte a second)")
	}
}

func checkDepth(cfg *Config, field string, bytes uint32, errs *qdisc.ConfigErrors) {
	switch {
	case bytes > MaxBurst:
		errs.Add(field, bytes, "at most 2^30 bytes")
	case cfg.ATM && bytes > MaxBurstATM:
		errs.Add(field, bytes, "at most 1e9 bytes with ATM")
	}
}

// defaultBurst is what rate sends in 2 ms: twice the coarsest timer step in
// common use, and short enough that a first burst overruns the rate by little.
// It holds two frames at least, and stays clear of the largest depth.
func defaultBurst(rate qdisc.Rate) uint32 {
	const inTwoMs = 8 * 500 // bit/s for a byte in 2 ms
	return uint32(min(max(uint64(rate)/inTwoMs, 2*frameSize), 1<<29))
}
