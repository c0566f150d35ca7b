mock_provider "aws" {
  mock_data "aws_availability_zones" {
    defaults = { names = ["here-1a", "here-1b", "here-1c"] }
  }
  mock_data "aws_region" {
    defaults = { region = "here-1" }
  }
}

variables {
  name = "chengjiao"
}

run "each_zone_has_a_public_and_a_private_part" {
  command = apply

  assert {
    condition     = keys(aws_subnet.public) == ["here-1a", "here-1b"] && keys(aws_subnet.private) == ["here-1a", "here-1b"]
    error_message = "Two zones were asked for."
  }
  assert {
    condition     = output.public_cidrs == ["10.20.0.0/20", "10.20.16.0/20"]
    error_message = "The public parts come first."
  }
  assert {
    condition     = [for subnet in aws_subnet.private : subnet.cidr_block] == ["10.20.128.0/20", "10.20.144.0/20"]
    error_message = "The private parts lie in the second half."
  }
  assert {
    condition     = keys(aws_nat_gateway.this) == ["here-1a"] && length(aws_route.nat) == 2
    error_message = "One gateway serves both private parts."
  }
  assert {
    condition     = aws_vpc_endpoint.s3.service_name == "com.amazonaws.here-1.s3"
    error_message = "Files go to the bucket of this region."
  }
}

run "a_third_zone_moves_nobody" {
  command = apply

  variables {
    zones = 3
    nat   = "each"
  }

  assert {
    condition     = slice(output.public_cidrs, 0, 2) == ["10.20.0.0/20", "10.20.16.0/20"] && length(aws_nat_gateway.this) == 3
    error_message = "The former parts stay where they are."
  }
  assert {
    condition = alltrue([
      for zone, route in aws_route.nat : route.nat_gateway_id == aws_nat_gateway.this[zone].id
    ])
    error_message = "Each zone goes out through its own gateway."
  }
}

run "without_a_gateway_nothing_private_goes_out" {
  command = apply

  variables {
    nat = "none"
  }

  assert {
    condition     = length(aws_route.nat) == 0 && length(aws_eip.nat) == 0
    error_message = "No gateway, no route, no address that costs."
  }
}

run "a_network_in_one_zone_is_refused" {
  command = plan

  variables {
    zones = 1
  }

  expect_failures = [var.zones]
}

run "a_network_that_is_too_small_is_refused" {
  command = plan

  variables {
    cidr = "10.20.0.0/24"
  }

  expect_failures = [var.cidr]
}
